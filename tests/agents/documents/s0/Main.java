/**
 * Main: leads the game, asks the players for their actions, updates the board, gives the rewards.
 *
 *     java Main              one game, the board is shown
 *     java Main 10000        10000 games, counted
 */
public class Main {
    public Board board;
    public Player player1, player2;
    public int player;
    public int reward1, reward2;
    public boolean gameover;
    public DisplayFrame display;

    public Main() {
        this(null, null);

        ///////////////////////////////
        // select two players

        player1 = new RandomPlayer("AgentA", 1, this);
        //player1 = new Agent("AgentA", 1, this);
        //player1 = new Joueur("AgentA", 1, this);

        player2 = new RandomPlayer("AgentB", 2, this);
        //player2 = new Agent("AgentB", 2, this);
        //player2 = new Joueur("AgentB", 2, this);

        ///////////////////////////////
    }

    public Main(Player player1, Player player2) {
        board = new Board(); // initialize game board
        this.player1 = player1;
        this.player2 = player2;
        display = new DisplayFrame(this);
    }

    /** Prepares a new game. */
    public void initialize() {
        board.initialize();
        player = 1;
        reward1 = 0;
        reward2 = 0;
        player1.initialize();
        player2.initialize();
        gameover = false;
    }

    /** Plays a game; returns the number of the winner, 0 for a draw. */
    public int game() {
        initialize();
        int winner = 0;
        while (!gameover) {
            if (player == 1) {
                board.getActionsPlayer1();
                int action = player1.update(board.getStatePlayer1(), reward1, board.actions);

                // perform action
                board.movePlayer1(action);
                display.repaint();

                reward1 = 0; // reset reward

                // get reward from move (eat events)
                if (board.event == 1) {
                    reward1 += 10; // add reward for player1
                    reward2 += -10; // add reward for player2
                }
                // detect end of game by victory
                if (board.player1Wins()) {
                    winner = 1;
                    gameover = true;
                    player1.learn(board.getStatePlayer1(), 100);
                    player2.learn(board.getStatePlayer2(), -100);
                } else {
                    // detect end of game by draw
                    board.getActionsPlayer2();
                    if (board.actions.size() == 0) {
                        gameover = true;
                        player1.learn(board.getStatePlayer1(), 10);
                        player2.learn(board.getStatePlayer2(), 10);
                    }
                }
            } else {
                board.getActionsPlayer2();
                int action = player2.update(board.getStatePlayer2(), reward2, board.actions);

                // perform action
                board.movePlayer2(action);
                display.repaint();

                reward2 = 0; // reset reward

                // get reward from move (eat events)
                if (board.event == 1) {
                    reward1 += -10;
                    reward2 += 10;
                }
                // detect end of game by victory
                if (board.player2Wins()) {
                    winner = 2;
                    gameover = true;
                    player1.learn(board.getStatePlayer1(), -100);
                    player2.learn(board.getStatePlayer2(), 100);
                } else {
                    // detect end of game by draw
                    board.getActionsPlayer1();
                    if (board.actions.size() == 0) {
                        gameover = true;
                        player1.learn(board.getStatePlayer1(), 10);
                        player2.learn(board.getStatePlayer2(), 10);
                    }
                }
            }
            player = 3 - player;
        }
        return winner;
    }

    public static void main(String[] arguments) {
        int games = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        int[] counts = new int[3];
        Main main = new Main();
        main.display.visible = games == 1;
        for (int i = 0; i < games; i++) counts[main.game()]++;
        main.player1.save();
        main.player2.save();
        System.out.println("player 1: " + counts[1] + "   player 2: " + counts[2] + "   draw: " + counts[0]);
    }
}
