// SPDX-License-Identifier: Apache-2.0
/** What Tez tells of the attempts of tasks, as events of their jobs, and the files of these. */
package dev.anemone.runtime.tez.history;
