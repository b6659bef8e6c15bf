/** java.lang.Math, its random numbers those of the question (see DamierRuntime). */
public final class Math {
    public static final double PI = java.lang.Math.PI, E = java.lang.Math.E;

    static final long LARGEST = (1L << 53) - 1;
    static long given, state, drawn;

    private Math() {}

    /** From here on the numbers follow from this one; the least and the largest stand for themselves. */
    static void seed(long number) {
        given = state = number;
        drawn = 0;
    }

    public static double random() { // splitmix64 (Steele, Lea and Flood, 2014); 53 bits of it
        drawn++;
        long bits = given;
        if (given != 0 && given != LARGEST) {
            long z = state += 0x9E3779B97F4A7C15L;
            z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
            z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
            bits = (z ^ z >>> 31) >>> 11;
        }
        return bits / 9007199254740992.0;
    }

    public static int abs(int a) { return java.lang.Math.abs(a); }
    public static long abs(long a) { return java.lang.Math.abs(a); }
    public static float abs(float a) { return java.lang.Math.abs(a); }
    public static double abs(double a) { return java.lang.Math.abs(a); }
    public static int max(int a, int b) { return java.lang.Math.max(a, b); }
    public static long max(long a, long b) { return java.lang.Math.max(a, b); }
    public static float max(float a, float b) { return java.lang.Math.max(a, b); }
    public static double max(double a, double b) { return java.lang.Math.max(a, b); }
    public static int min(int a, int b) { return java.lang.Math.min(a, b); }
    public static long min(long a, long b) { return java.lang.Math.min(a, b); }
    public static float min(float a, float b) { return java.lang.Math.min(a, b); }
    public static double min(double a, double b) { return java.lang.Math.min(a, b); }
    public static int round(float a) { return java.lang.Math.round(a); }
    public static long round(double a) { return java.lang.Math.round(a); }
    public static double rint(double a) { return java.lang.Math.rint(a); }
    public static double floor(double a) { return java.lang.Math.floor(a); }
    public static double ceil(double a) { return java.lang.Math.ceil(a); }
    public static int floorMod(int a, int b) { return java.lang.Math.floorMod(a, b); }
    public static int floorDiv(int a, int b) { return java.lang.Math.floorDiv(a, b); }
    public static double exp(double a) { return java.lang.Math.exp(a); }
    public static double log(double a) { return java.lang.Math.log(a); }
    public static double log10(double a) { return java.lang.Math.log10(a); }
    public static double pow(double a, double b) { return java.lang.Math.pow(a, b); }
    public static double sqrt(double a) { return java.lang.Math.sqrt(a); }
    public static double cbrt(double a) { return java.lang.Math.cbrt(a); }
    public static double hypot(double a, double b) { return java.lang.Math.hypot(a, b); }
    public static double signum(double a) { return java.lang.Math.signum(a); }
    public static float signum(float a) { return java.lang.Math.signum(a); }
    public static double sin(double a) { return java.lang.Math.sin(a); }
    public static double cos(double a) { return java.lang.Math.cos(a); }
    public static double tan(double a) { return java.lang.Math.tan(a); }
    public static double tanh(double a) { return java.lang.Math.tanh(a); }
    public static double atan(double a) { return java.lang.Math.atan(a); }
    public static double atan2(double a, double b) { return java.lang.Math.atan2(a, b); }
}
