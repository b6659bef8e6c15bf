/** The main program in its place: damier plays the games. */
public class Main {}
