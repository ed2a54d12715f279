// SPDX-License-Identifier: Apache-2.0
/**
 * Links between stages on the data plane: what producer tasks announce, how consumer tasks read it,
 * and the aggregation tasks between them. Knows nothing of Tez, which carries the announcements.
 */
package dev.anemone.runtime.transfer;
