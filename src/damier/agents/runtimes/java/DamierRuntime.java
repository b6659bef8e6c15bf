import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What damier asks of an agent in Java: its methods are called as lines of JSON say (docs/agent_protocol.md). */
public final class DamierRuntime {
    static final String[] METHODS = {"initialize", "update", "learn"};
    static final Map<Integer, Object> agents = new HashMap<>();
    static final List<String> own = new ArrayList<>();

    public static void main(String[] files) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
        System.setOut(System.err); // what the agent prints is no answer
        for (String file : files) own.add(file);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            Map<?, ?> asked = (Map<?, ?>) new Reader(line).value();
            String answer = answer(asked);
            if (answer != null) {
                answers.print(answer + "\n");
                answers.flush();
            }
        }
    }

    static String answer(Map<?, ?> asked) {
        try {
            Map<String, Object> found = new LinkedHashMap<>();
            Object agent = agents.get(number(asked.get("agent")));
            Math.seed(asked.get("random") == null ? 1 : ((Number) asked.get("random")).longValue());
            switch ((String) asked.get("type")) {
                case "hello":
                    return hello();
                case "make":
                    agents.put(number(asked.get("agent")), made((String) asked.get("name")));
                    found.put("value", null);
                    break;
                case "copy":
                    Object copy = made(agent.getClass().getName());
                    for (Field field : fields(agent))
                        field.set(copy, given(new Reader(text(field.get(agent))).value(), field.getGenericType()));
                    agents.put(number(asked.get("to")), copy);
                    found.put("value", null);
                    break;
                case "drop":
                    agents.remove(number(asked.get("agent")));
                    return null;
                case "attributes":
                    Map<String, Object> all = new LinkedHashMap<>();
                    for (Field field : fields(agent)) all.put(field.getName(), field.get(agent));
                    found.put("value", all);
                    break;
                case "get":
                    for (Field field : fields(agent))
                        if (field.getName().equals(asked.get("name"))) found.put("value", field.get(agent));
                    break;
                case "set":
                    for (Field field : fields(agent))
                        if (field.getName().equals(asked.get("name")))
                            field.set(agent, given(asked.get("value"), field.getGenericType()));
                    found.put("value", null);
                    break;
                case "main-program":
                    found.put("value", games((List<?>) asked.get("lines")));
                    break;
                default:
                    found.put("value", called(agent, (String) asked.get("name"), (List<?>) asked.get("arguments")));
            }
            found.put("drawn", Math.drawn > 0);
            return text(found);
        } catch (InvocationTargetException error) {
            return fault(error.getCause());
        } catch (Throwable error) {
            return fault(error);
        }
    }

    /** What Main(player1, player2) tells both players in games whose actions are given. */
    static List<Object> games(List<?> lines) throws Exception {
        List<Object> told = new ArrayList<>(), found = new ArrayList<>();
        NotingPlayer[] players = {new NotingPlayer(1, told), new NotingPlayer(2, told)};
        Constructor<?> constructor = Class.forName("Main").getDeclaredConstructor(Player.class, Player.class);
        constructor.setAccessible(true);
        Object main = constructor.newInstance((Object[]) players);
        Method game = main.getClass().getDeclaredMethod("game");
        game.setAccessible(true);
        for (Object line : lines) {
            told.clear();
            for (NotingPlayer player : players) player.actions.clear();
            int turn = 0;
            for (Object action : (List<?>) line) players[turn++ % 2].actions.add(number(action));
            game.invoke(main);
            found.add(new ArrayList<>(told));
        }
        return found;
    }

    /** What went wrong, after the file and the line of the agent's own in which it did. */
    static String fault(Throwable error) {
        String place = "";
        for (StackTraceElement frame : error.getStackTrace())
            if (place.isEmpty() && own.contains(frame.getFileName()))
                place = frame.getFileName() + ":" + frame.getLineNumber() + ": ";
        String said = error.getMessage() == null ? "" : ": " + error.getMessage();
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("fault", place + error.getClass().getSimpleName() + said);
        return text(found);
    }

    static int number(Object value) {
        return value instanceof Number ? ((Number) value).intValue() : -1;
    }

    /** The classes of the agent's files that can be agents, each with the methods that it has. */
    static String hello() {
        Map<String, Object> found = new LinkedHashMap<>(), classes = new LinkedHashMap<>();
        for (String file : own) {
            String name = file.replace(".java", "");
            try {
                Class<?> kind = Class.forName(name);
                if (Modifier.isAbstract(kind.getModifiers()) || method(kind, "update") == null) continue;
                List<String> methods = new ArrayList<>();
                for (String method : METHODS) if (method(kind, method) != null) methods.add(method);
                classes.put(name, methods);
            } catch (ClassNotFoundException | LinkageError error) {
                System.err.println(error);
            }
        }
        found.put("protocol", 2);
        found.put("agents", classes);
        found.put("functions", own.contains("Main.java") ? List.of("Main") : List.of());
        found.put("attributes", true);
        return text(found);
    }

    static Object made(String name) throws Exception {
        for (Constructor<?> constructor : Class.forName(name).getDeclaredConstructors()) {
            constructor.setAccessible(true);
            if (constructor.getParameterCount() == 3) return constructor.newInstance("AgentA", 1, null);
            if (constructor.getParameterCount() == 0) return constructor.newInstance();
        }
        throw new NoSuchMethodException(name + "(String name, int id, Main m)");
    }

    static Method method(Class<?> kind, String name) {
        int count = name.equals("update") ? 3 : name.equals("learn") ? 2 : 0;
        for (Class<?> at = kind; at != null && at != Object.class; at = at.getSuperclass())
            for (Method method : at.getDeclaredMethods())
                if (method.getName().equals(name) && method.getParameterCount() == count) {
                    method.setAccessible(true);
                    return method;
                }
        return null;
    }

    static Object called(Object agent, String name, List<?> arguments) throws Exception {
        Method method = method(agent.getClass(), name);
        Type[] kinds = method.getGenericParameterTypes();
        Object[] given = new Object[kinds.length];
        for (int i = 0; i < given.length; i++) given[i] = given(arguments.get(i), kinds[i]);
        return method.invoke(agent, given);
    }

    /** The attributes of an agent that are data. */
    static List<Field> fields(Object agent) {
        List<Field> found = new ArrayList<>();
        for (Class<?> at = agent.getClass(); at != null && at != Object.class; at = at.getSuperclass())
            for (Field field : at.getDeclaredFields()) {
                boolean fixed = Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers());
                if (!fixed && isData(field.getGenericType())) {
                    field.setAccessible(true);
                    found.add(field);
                }
            }
        return found;
    }

    static boolean isData(Type kind) {
        if (kind instanceof ParameterizedType) {
            ParameterizedType list = (ParameterizedType) kind;
            boolean isList = List.class.isAssignableFrom((Class<?>) list.getRawType());
            return isList && isData(list.getActualTypeArguments()[0]);
        }
        if (!(kind instanceof Class)) return kind instanceof java.lang.reflect.GenericArrayType;
        Class<?> found = (Class<?>) kind;
        if (found.isArray()) return isData(found.getComponentType());
        return found.isPrimitive() || found == String.class || found == Boolean.class || Number.class.isAssignableFrom(found);
    }

    /** A value of JSON as one of a type. */
    static Object given(Object value, Type kind) throws Exception {
        if (value == null) return null;
        if (kind instanceof ParameterizedType) {
            ParameterizedType list = (ParameterizedType) kind;
            Class<?> raw = (Class<?>) list.getRawType();
            List<Object> found = new ArrayList<>();
            if (!raw.isInterface() && raw != ArrayList.class) found = cast(raw.getDeclaredConstructor().newInstance());
            for (Object each : (List<?>) value) found.add(given(each, list.getActualTypeArguments()[0]));
            return found;
        }
        Class<?> found = (Class<?>) kind;
        if (found.isArray()) {
            List<?> values = (List<?>) value;
            Object array = Array.newInstance(found.getComponentType(), values.size());
            for (int i = 0; i < values.size(); i++) Array.set(array, i, given(values.get(i), found.getComponentType()));
            return array;
        }
        if (!(value instanceof Number)) return value;
        Number number = (Number) value;
        if (found == int.class || found == Integer.class) return number.intValue();
        if (found == long.class || found == Long.class) return number.longValue();
        if (found == float.class || found == Float.class) return number.floatValue();
        if (found == short.class || found == Short.class) return number.shortValue();
        if (found == byte.class || found == Byte.class) return number.byteValue();
        return number.doubleValue();
    }

    @SuppressWarnings("unchecked")
    static List<Object> cast(Object list) { return (List<Object>) list; }

    /** A value as JSON. */
    static String text(Object value) {
        StringBuilder found = new StringBuilder();
        write(found, value);
        return found.toString();
    }

    static void write(StringBuilder to, Object value) {
        String comma = "";
        if (value instanceof Map) {
            to.append('{');
            for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
                to.append(comma);
                write(to, each.getKey());
                to.append(": ");
                write(to, each.getValue());
                comma = ", ";
            }
            to.append('}');
        } else if (value instanceof List || (value != null && value.getClass().isArray())) {
            int size = value instanceof List ? ((List<?>) value).size() : Array.getLength(value);
            to.append('[');
            for (int i = 0; i < size; i++, comma = ", ") {
                to.append(comma);
                write(to, value instanceof List ? ((List<?>) value).get(i) : Array.get(value, i));
            }
            to.append(']');
        } else if (value instanceof String || value instanceof Character) {
            to.append('"');
            for (char c : value.toString().toCharArray())
                if (c == '"' || c == '\\') to.append('\\').append(c);
                else if (c < ' ') to.append(String.format("\\u%04x", (int) c));
                else to.append(c);
            to.append('"');
        } else if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            to.append(Double.isNaN(number) || Double.isInfinite(number) ? "null" : value.toString());
        } else {
            to.append(value);
        }
    }

    /** Reads JSON. */
    static final class Reader {
        final String line;
        int at;

        Reader(String line) { this.line = line; }

        char next() {
            while (line.charAt(at) == ' ' || line.charAt(at) == ',' || line.charAt(at) == ':') at++;
            return line.charAt(at);
        }

        Object value() {
            char c = next();
            if (c == '{') {
                Map<String, Object> found = new LinkedHashMap<>();
                for (at++; next() != '}'; ) found.put((String) value(), value());
                at++;
                return found;
            }
            if (c == '[') {
                List<Object> found = new ArrayList<>();
                for (at++; next() != ']'; ) found.add(value());
                at++;
                return found;
            }
            if (c == '"') {
                StringBuilder found = new StringBuilder();
                for (at++; line.charAt(at) != '"'; at++)
                    if (line.charAt(at) != '\\') found.append(line.charAt(at));
                    else if (line.charAt(++at) != 'u') found.append("nrt".indexOf(line.charAt(at)) < 0 ? line.charAt(at) : ' ');
                    else found.append((char) Integer.parseInt(line.substring(at + 1, (at += 4) + 1), 16));
                at++;
                return found.toString();
            }
            int begin = at;
            while (at < line.length() && ",]} ".indexOf(line.charAt(at)) < 0) at++;
            String word = line.substring(begin, at);
            if (word.equals("null")) return null;
            if (word.equals("true") || word.equals("false")) return word.equals("true");
            if (word.matches("-?\\d{1,18}")) return Long.valueOf(word);
            return Double.valueOf(word);
        }
    }
}
