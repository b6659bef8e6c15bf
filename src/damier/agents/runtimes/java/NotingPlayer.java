import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A player whose actions are given; what it is told goes into a list. */
public class NotingPlayer extends Player {
    final int number;
    final List<Object> told;
    List<Integer> actions = new ArrayList<>();

    NotingPlayer(int number, List<Object> told) {
        super("Agent" + "AB".charAt(number - 1), number, null);
        this.number = number;
        this.told = told;
    }

    @Override
    public int update(int state, int reward, ArrayList<Integer> possible_actions) {
        told.add(Arrays.asList("update", number, state, reward, new ArrayList<>(possible_actions)));
        if (actions.isEmpty()) throw new IllegalStateException("an action is asked for though the game is over");
        return actions.remove(0);
    }

    @Override
    public void learn(int state, int reward) {
        told.add(Arrays.asList("learn", number, state, reward));
    }
}
