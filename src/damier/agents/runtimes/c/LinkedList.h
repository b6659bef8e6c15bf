#ifndef LINKED_LIST_H
#define LINKED_LIST_H

#include <stddef.h>

/* A list of data; it is gone through node by node: for (Node *n = llHead(list); n != NULL; n = llNext(n)) … llData(n) … */
typedef struct LinkedList_t LinkedList;
typedef struct Node_t Node;

LinkedList *llCreateEmpty(void);

/* Frees the list, and its data by freeData, which may be NULL. */
void llFree(LinkedList *list, void (*freeData)(void *data));

size_t llLength(LinkedList *list);
void llInsertFirst(LinkedList *list, void *data);
void llInsertLast(LinkedList *list, void *data);

/* Takes the first away and returns its data, NULL where the list is empty. */
void *llPopFirst(LinkedList *list);

Node *llHead(LinkedList *list);
Node *llNext(Node *node);
void *llData(Node *node);

#endif
