// SPDX-License-Identifier: Apache-2.0
/** Requests at random at a real proxy: nothing but what was asked for, and never a crash. */
package dev.anemone.evaluation.robust.ndpfuzz;
