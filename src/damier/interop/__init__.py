"""Links to what others use: PettingZoo, Gymnasium and OpenSpiel, many games side by side, networks graded."""
