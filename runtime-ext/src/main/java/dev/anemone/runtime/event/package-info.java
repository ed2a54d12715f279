// SPDX-License-Identifier: Apache-2.0
/**
 * What happens to a job, as events, and the log that they are written to: one line of JSON each, see
 * docs/event-log.md.
 */
package dev.anemone.runtime.event;
