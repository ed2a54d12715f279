// SPDX-License-Identifier: Apache-2.0
/** Plans, and what a policy made of them, for people. */
package dev.anemone.beam.explain;
