"""Links to what others use: environments of PettingZoo and Gymnasium, and many games side by side."""
