// SPDX-License-Identifier: Apache-2.0
/** Groups values by key and window, also by windows that merge and with triggers. */
package dev.anemone.beam.operator.group;
