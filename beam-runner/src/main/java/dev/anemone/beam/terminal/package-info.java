// SPDX-License-Identifier: Apache-2.0
/** What a person at a terminal sees of a job: how far it is, and what came of it. */
package dev.anemone.beam.terminal;
