// SPDX-License-Identifier: Apache-2.0
/**
 * What keeps the tasks of a stage from reading different versions of what a task before it has
 * written (ADR 51).
 *
 * <p>A task whose output is lost runs again. Where it makes something random, it writes something
 * else, and if some of its readers have ended with the old version, an element may reach two of
 * them, or none. Spark knows such stages by a property of their RDDs, and rolls back what has read
 * them; steps of Beam do not say whether they are deterministic, so here outputs are compared.
 */
package dev.anemone.runtime.transfer.lineage;
