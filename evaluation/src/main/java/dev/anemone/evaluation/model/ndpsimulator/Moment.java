// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.ndp.decide.ClusterLoad;
import dev.anemone.ndp.decide.JobCost;
import dev.anemone.ndp.decide.SystemLoad;

/**
 * What a task can know when it has got its core.
 *
 * @param remaining of its job: the splits whose tasks have not begun
 * @param load of the system, without the task
 * @param node that holds its split
 */
record Moment(JobCost remaining, SystemLoad load, ClusterLoad node) {}
