#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

/* A grid: nine characters, 'X', 'O' or ' ', from top to bottom and from left to right, and a \0. */
typedef char *Board;

/* E stands for a draw, or for a free cell. */
typedef enum { X, O, E } Player;

/* The number of a cell, from 0 to 8. */
typedef int Move;

Board boardMakeEmpty(void);
void boardFree(Board b);
Board boardCopy(Board b);
void boardPrint(Board b);

/* The player who has three in a row, E where nobody has. */
Player boardWin(Board b);
bool boardIsFull(Board b);

/* Marks cell m for player p in b itself, and returns b; ends the program where the cell is not free. */
Board boardNext(Board b, Move m, Player p);
bool boardValidMove(Board b, Move m);

/* Whose turn it is, E where the grid is full. */
Player boardGetPlayer(Board b);

#endif
