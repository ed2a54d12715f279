// SPDX-License-Identifier: Apache-2.0
/** Blocks in pages of memory, and those that find no page in another store. */
package dev.anemone.runtime.store.paged;
