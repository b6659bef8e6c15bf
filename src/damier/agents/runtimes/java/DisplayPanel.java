/** What the main window shows, in its place. */
public class DisplayPanel {
    public DisplayPanel(Object main) {}

    public void repaint() {}
}
