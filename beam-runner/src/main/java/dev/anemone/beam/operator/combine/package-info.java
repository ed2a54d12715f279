// SPDX-License-Identifier: Apache-2.0
/** Combines values by key and window, before a shuffle and behind it. */
package dev.anemone.beam.operator.combine;
