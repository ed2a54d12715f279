// SPDX-License-Identifier: Apache-2.0
/** Graphs for tests of this module and of those that build on it. */
package dev.anemone.ir.testing;
