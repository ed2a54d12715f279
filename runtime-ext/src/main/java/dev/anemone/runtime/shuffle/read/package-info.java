/**
 * Reads a link: fetches partitions of blocks into pages, keeps what does not fit on disk, and
 * merges all by key.
 */
package dev.anemone.runtime.shuffle.read;
