// SPDX-License-Identifier: Apache-2.0
/** Blocks in local files, in the form of Tez's spill records. */
package dev.anemone.runtime.store.file;
