#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Dict.h"

typedef struct Entry_t {
    char *key;
    void *value;
    struct Entry_t *next;
} Entry;

struct Dict_t {
    size_t size, length;
    Entry **entries;
};

static void *reserved(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "Dict: no memory left\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

Dict *dictCreate(size_t size) {
    Dict *dict = reserved(malloc(sizeof *dict));
    dict->size = size > 0 ? size : 1;
    dict->length = 0;
    dict->entries = reserved(calloc(dict->size, sizeof *dict->entries));
    return dict;
}

void dictFree(Dict *dict, void (*freeValue)(void *)) {
    for (size_t i = 0; i < dict->size; i++)
        for (Entry *entry = dict->entries[i], *next; entry != NULL; entry = next) {
            next = entry->next;
            if (freeValue != NULL) freeValue(entry->value);
            free(entry->key);
            free(entry);
        }
    free(dict->entries);
    free(dict);
}

/* Where the entry of a key is, or would be added. */
static Entry **place(Dict *dict, const char *key) {
    size_t hash = 5381;
    for (const char *c = key; *c != '\0'; c++) hash = 33 * hash + (unsigned char)*c;
    Entry **entry = &dict->entries[hash % dict->size];
    while (*entry != NULL && strcmp((*entry)->key, key) != 0) entry = &(*entry)->next;
    return entry;
}

bool dictContains(Dict *dict, const char *key) { return *place(dict, key) != NULL; }

void *dictSearch(Dict *dict, const char *key) {
    Entry *entry = *place(dict, key);
    return entry == NULL ? NULL : entry->value;
}

void dictInsert(Dict *dict, const char *key, void *value) {
    Entry **entry = place(dict, key);
    if (*entry == NULL) {
        *entry = reserved(malloc(sizeof **entry));
        **entry = (Entry){reserved(strdup(key)), NULL, NULL};
        dict->length++;
    }
    (*entry)->value = value;
}

size_t dictLength(Dict *dict) { return dict->length; }
