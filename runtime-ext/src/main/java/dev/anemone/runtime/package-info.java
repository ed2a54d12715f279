// SPDX-License-Identifier: Apache-2.0
/**
 * Runs the IR: stages, the Tez engine that schedules and recovers them, and the tasks that execute
 * them.
 */
package dev.anemone.runtime;
