// SPDX-License-Identifier: Apache-2.0
/** The operators that run Beam's primitive transforms inside tasks. */
package dev.anemone.beam.operator;
