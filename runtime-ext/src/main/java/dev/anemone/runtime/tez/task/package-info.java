// SPDX-License-Identifier: Apache-2.0
/** Tasks as Tez runs them: processors of stages and aggregations, and the ends of links. */
package dev.anemone.runtime.tez.task;
