// SPDX-License-Identifier: Apache-2.0
/** Letting go of things: closing several of them, deleting directories with all that is in them. */
package dev.anemone.runtime.resource;
