// SPDX-License-Identifier: Apache-2.0
/**
 * What the engine needs and nobody has decided before: numbers of tasks, partitions, coders,
 * stores, data flow, resources, order. A property that is set stays, so that a front end, a user's
 * own pass, or an earlier pass of a policy has the first word.
 */
package dev.anemone.passes.defaults;
