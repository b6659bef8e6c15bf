import java.util.ArrayList;

/** A player of the Hexapawn lab. */
public abstract class Player {
    public String name;
    public int id;
    public Main main;

    public Player(String name, int id, Main m) {
        this.name = name;
        this.id = id;
        this.main = m;
    }

    public void initialize() {}

    public abstract int update(int state, int reward, ArrayList<Integer> possible_actions);

    public void learn(int state, int reward) {}

    public void save() {}
}
