// SPDX-License-Identifier: Apache-2.0
/** Many jobs on one cluster, each with a random policy and a random fault. */
package dev.anemone.evaluation.robust.soak;
