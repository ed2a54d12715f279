/** Tasks as Tez runs them: processors of stages and aggregations, and the ends of links. */
package dev.anemone.runtime.tez.task;
