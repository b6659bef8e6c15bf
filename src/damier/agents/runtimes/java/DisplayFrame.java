/** The main window in its place: none opens. */
public class DisplayFrame {
    public boolean visible;

    public DisplayFrame(Object main) {}

    public void repaint() {}
}
