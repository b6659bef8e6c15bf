import java.util.ArrayList;

/** A person in its place: plays the first action. */
public class Joueur extends Player {
    public Joueur(String name, int id, Main m) { super(name, id, m); }

    public int update(int state, int reward, ArrayList<Integer> possible_actions) { return possible_actions.get(0); }
}
