// SPDX-License-Identifier: Apache-2.0
/** Off-heap memory: pages, the pool that they come from, and the budget that a task must keep. */
package dev.anemone.runtime.memory;
