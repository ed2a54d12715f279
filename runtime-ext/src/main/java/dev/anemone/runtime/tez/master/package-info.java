// SPDX-License-Identifier: Apache-2.0
/**
 * Scheduling, in the application master: when the tasks of a stage run and in which slot, what they
 * read, and ranges drawn while the job runs.
 */
package dev.anemone.runtime.tez.master;
