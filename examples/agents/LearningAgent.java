// An agent that learns: it plays the move after which its games ended best on average, and while it learns one in four at random.
// damier train hexapawn LearningAgent.java --games 1000 -o learnt.json && damier grade hexapawn LearningAgent.java:file=learnt.json
// What it has learnt is one text (docs/agent_protocol.md): position|move|games|mean, a semicolon, and so on.
import java.util.*;
import java.util.regex.*;
public class LearningAgent {
    static final Map<String, double[]> KNOWN = new LinkedHashMap<>(); // how many games, and their mean

    static String after(String line, String key) { // what stands behind a key, up to the end of its list, text or number
        Matcher found = Pattern.compile("\"" + key + "\": (?:\\[([^\\]]*)|\"([^\"]*)|([^,}]*))").matcher(line);
        if (!found.find()) return null;
        return found.group(1) != null ? found.group(1) : found.group(2) != null ? found.group(2) : found.group(3);
    }

    public static void main(String[] none) {
        List<double[]> taken = new ArrayList<>(); // of this game
        Random random = new Random(); boolean learning = false;
        for (Scanner in = new Scanner(System.in); in.hasNextLine(); System.out.flush()) {
            String line = in.nextLine(), type = after(line, "type"), said = "";
            if (type.equals("hello")) System.out.println("{\"protocol\": 2, \"learns\": true, \"scores\": true, \"saves\": true}");
            if (type.equals("new_game")) { random.setSeed(Long.parseLong(after(line, "seed"))); taken.clear(); learning = line.contains("\"learning\": true"); }
            if (type.equals("end") && learning) for (double[] one : taken) one[1] += (Double.parseDouble(after(line, "payoff")) - one[1]) / ++one[0];
            for (String key : type.equals("save") ? KNOWN.keySet() : Set.<String>of()) said += key + "|" + KNOWN.get(key)[0] + "|" + KNOWN.get(key)[1] + ";";
            if (type.equals("save")) System.out.println("{\"data\": \"" + said + "\"}");
            if (type.equals("load")) for (String[] one : Arrays.stream(after(line, "data").split(";")).map(s -> s.split("\\|")).filter(s -> s.length == 4).toList())
                KNOWN.put(one[0] + "|" + one[1], new double[] {Double.parseDouble(one[2]), Double.parseDouble(one[3])});
            if (type.equals("load")) System.out.println("{\"loaded\": true}");
            if (!type.equals("position") && !type.equals("score")) continue;
            Map<String, double[]> moves = new LinkedHashMap<>();
            for (String move : after(line, "legal").replace("\"", "").split(", "))
                moves.put(move, KNOWN.computeIfAbsent(after(line, "state") + "|" + move, key -> new double[] {1, 0}));
            List<String> names = new ArrayList<>(moves.keySet());
            String best = Collections.max(names, Comparator.comparingDouble(move -> moves.get(move)[1]));
            if (learning && random.nextInt(4) == 0) best = names.get(random.nextInt(names.size()));
            for (String move : names) said += (said.isEmpty() ? "" : ", ") + "\"" + move + "\": " + moves.get(move)[1];
            if (type.equals("position")) taken.add(moves.get(best));
            System.out.println(type.equals("score") ? "{\"scores\": {" + said + "}}" : "{\"move\": \"" + best + "\"}");
        }
    }
}
