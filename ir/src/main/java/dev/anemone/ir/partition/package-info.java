// SPDX-License-Identifier: Apache-2.0
/** Ranges of hash partitions, and partitions that are divided among several tasks. */
package dev.anemone.ir.partition;
