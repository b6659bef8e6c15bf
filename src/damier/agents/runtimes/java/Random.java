/** Random numbers that follow from those of the question (see DamierRuntime). */
public class Random {
    public Random() {}

    public Random(long seed) {}

    public double nextDouble() { return Math.random(); }

    public float nextFloat() { return (float) Math.random(); }

    public int nextInt(int bound) { return (int) (Math.random() * bound); }

    public int nextInt() { return (int) (long) (Math.random() * 4294967296.0 - 2147483648.0); }

    public boolean nextBoolean() { return Math.random() < 0.5; }
}
