// SPDX-License-Identifier: Apache-2.0
/**
 * What producers tell consumers, and the feed that brings it: blocks that were committed, withdrawn
 * or lost, and where they lie.
 */
package dev.anemone.runtime.transfer.announcement;
