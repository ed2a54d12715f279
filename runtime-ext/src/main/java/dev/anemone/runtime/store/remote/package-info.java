// SPDX-License-Identifier: Apache-2.0
/** Blocks in a pool of remote memory, and in another store when the pool is full or away. */
package dev.anemone.runtime.store.remote;
