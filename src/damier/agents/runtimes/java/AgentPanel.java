/** What the window of an agent shows, in its place. */
public class AgentPanel {
    public boolean visible;

    public AgentPanel(Object agent) {}

    public void repaint() {}
}
