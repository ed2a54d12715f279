// SPDX-License-Identifier: Apache-2.0
/** TeraSort within bounds of memory. */
package dev.anemone.evaluation.compare.terasort;
