// SPDX-License-Identifier: Apache-2.0
/** Writes a link: gathers records in memory, sorts them, and hands them to a block or to a sink. */
package dev.anemone.runtime.shuffle.write;
