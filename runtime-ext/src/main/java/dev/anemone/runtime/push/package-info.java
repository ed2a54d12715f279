/**
 * Push: map tasks send partitions to the receivers of aggregation tasks over TCP, and know of every
 * batch whether it has arrived.
 */
package dev.anemone.runtime.push;
