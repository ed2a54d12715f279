// SPDX-License-Identifier: Apache-2.0
/**
 * Reads a link: fetches partitions of blocks into pages, keeps what does not fit on disk, and
 * merges all by key.
 */
package dev.anemone.runtime.shuffle.read;
