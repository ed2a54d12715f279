// SPDX-License-Identifier: Apache-2.0
/** Options of the runner, and errors that say which option is wrong and what would be right. */
package dev.anemone.beam.options;
