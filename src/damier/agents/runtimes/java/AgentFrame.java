/** The window of an agent in its place: none opens. */
public class AgentFrame {
    public boolean visible;

    public AgentFrame(Object agent) {}

    public void repaint() {}
}
