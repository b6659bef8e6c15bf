#include <stdio.h>
#include <stdlib.h>

#include "LinkedList.h"

struct Node_t {
    void *data;
    Node *next;
};

struct LinkedList_t {
    Node *head, *last;
    size_t length;
};

static void *reserved(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        fprintf(stderr, "LinkedList: no memory left\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static Node *nodeCreate(void *data, Node *next) {
    Node *node = reserved(sizeof *node);
    *node = (Node){data, next};
    return node;
}

LinkedList *llCreateEmpty(void) {
    LinkedList *list = reserved(sizeof *list);
    *list = (LinkedList){NULL, NULL, 0};
    return list;
}

void llFree(LinkedList *list, void (*freeData)(void *)) {
    while (list->length > 0) {
        void *data = llPopFirst(list);
        if (freeData != NULL) freeData(data);
    }
    free(list);
}

size_t llLength(LinkedList *list) { return list->length; }

void llInsertFirst(LinkedList *list, void *data) {
    list->head = nodeCreate(data, list->head);
    if (list->length++ == 0) list->last = list->head;
}

void llInsertLast(LinkedList *list, void *data) {
    Node *node = nodeCreate(data, NULL);
    if (list->length++ == 0)
        list->head = node;
    else
        list->last->next = node;
    list->last = node;
}

void *llPopFirst(LinkedList *list) {
    Node *node = list->head;
    if (node == NULL) return NULL;
    void *data = node->data;
    list->head = node->next;
    list->length--;
    free(node);
    return data;
}

Node *llHead(LinkedList *list) { return list->head; }

Node *llNext(Node *node) { return node->next; }

void *llData(Node *node) { return node->data; }
