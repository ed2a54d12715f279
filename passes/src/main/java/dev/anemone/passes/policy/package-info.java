// SPDX-License-Identifier: Apache-2.0
/** Policies: named lists of passes, how they are found, and how they are applied. */
package dev.anemone.passes.policy;
