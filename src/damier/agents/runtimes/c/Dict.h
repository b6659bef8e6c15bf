#ifndef DICT_H
#define DICT_H

#include <stdbool.h>
#include <stddef.h>

/* A hash table from texts to data. */
typedef struct Dict_t Dict;

/* size: how many keys are expected; the table works with more, only slower. */
Dict *dictCreate(size_t size);

/* Frees the table, and its data by freeValue, which may be NULL. */
void dictFree(Dict *dict, void (*freeValue)(void *value));

bool dictContains(Dict *dict, const char *key);

/* The data of a key, NULL where there is none. */
void *dictSearch(Dict *dict, const char *key);

/* Keeps data for a key, of which the table makes a copy; what it kept for that key before is not freed. */
void dictInsert(Dict *dict, const char *key, void *value);

size_t dictLength(Dict *dict);

#endif
