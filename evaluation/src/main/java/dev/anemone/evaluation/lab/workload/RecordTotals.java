// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

/**
 * What a shuffle has brought to its consumers, in numbers that do not depend on the order.
 *
 * @param records how many
 * @param groups distinct keys, where each key comes to one task only and once only
 * @param checksum sum of the CRC-32C of every record, key before value, modulo 2^64
 */
public record RecordTotals(long records, long groups, long checksum) {}
