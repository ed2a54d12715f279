// SPDX-License-Identifier: Apache-2.0
/**
 * Execution of one task of a stage: the fused chain of operators, what it reads and what it writes.
 * Knows nothing of Tez.
 */
package dev.anemone.runtime.task;
